export { type UserDataRemover, userTasks } from './delete-user.ts'
export { type UserDeps, userRoutes } from './routes.ts'
export { usersProjectRows } from './project-rows.ts'
