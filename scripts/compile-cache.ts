import { join } from 'node:path'

/**
 * Folder in which Node keeps compiled modules. Every test file and every gate loads the same sources: with it, a
 * process that loads the application takes 0.5 s of processor time instead of 0.9.
 */
export const NODE_COMPILE_CACHE = join(import.meta.dirname, '..', 'node_modules', '.cache', 'compile')
