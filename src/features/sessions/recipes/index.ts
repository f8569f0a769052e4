export { type Recipes, createRecipes, type RecipeTool } from './service.ts'
