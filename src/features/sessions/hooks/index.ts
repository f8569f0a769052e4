export { findHookProblems } from './validate-hooks.ts'
export { createSessionHooks } from './session-hooks.ts'
