export type { RunPythonCell } from './python.ts'
export { type Recipes, createRecipes, type RecipeTool } from './service.ts'
export { type StoredContent, toToolSlug } from './recipe-context.ts'
