// Builds the console in a process of its own, so that a build never delays a call. Sends the bundle to its parent.
import { buildConsole } from './build.ts'

// The server has ended: nobody receives the bundle.
process.once('disconnect', () => process.exit())

const bundle = await buildConsole()
process.send?.(bundle, undefined, undefined, () => process.disconnect())
