export { type Recipes, recipes, type RecipeTool } from './service.ts'
