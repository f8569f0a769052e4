// Builds the console in a process of its own, so that a build never delays a call. Sends the bundle to its parent.

// The server has ended: nobody receives the bundle. Before the modules of the build are loaded, which takes longest.
process.once('disconnect', () => process.exit())
if (!process.connected) process.exit()

const { buildConsole } = await import('./build.ts')
const bundle = await buildConsole()
process.send?.(bundle, undefined, undefined, () => process.disconnect())
