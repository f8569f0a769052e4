export { hookMistakes } from './check.ts'
export { sessionHooks } from './hooks.ts'
