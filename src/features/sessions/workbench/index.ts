export { createSandboxLease } from './lease.ts'
export { runBash, runPython, runRecipeCode, type SandboxMeter, type WorkbenchDeps } from './run-code.ts'
export { WORKBENCH_DEFINITIONS } from './workbench-definitions.ts'
