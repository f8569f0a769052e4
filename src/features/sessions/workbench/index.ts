export { createSandboxLease } from './lease.ts'
export { createRunForwarder, type ForwardedRun } from './forwarded-runs.ts'
export {
  runForwarded,
  runBash,
  runPython,
  runRecipeCode,
  type SandboxMeter,
  type WorkbenchDeps,
} from './run-code.ts'
export { WORKBENCH_DEFINITIONS } from './workbench-definitions.ts'
