/** Toolkits of the administrator, in a folder of the server. */
export { type ToolkitProblem, ToolkitsFolder } from './toolkits-folder.ts'
export { watchToolkitsFolder } from './watch-folder.ts'
