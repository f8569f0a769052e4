export { fileByteRoutes } from './byte-routes.ts'
export { fileRoutes } from './routes.ts'
export { type FileService, fileService, type FileSettings } from './service.ts'
export type { MountFiles } from './mounts.ts'
