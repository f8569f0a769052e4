export { type Recipes, createRecipes, type RecipeTool, type StoredContent } from './service.ts'
