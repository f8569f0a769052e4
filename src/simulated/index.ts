/** Applications that exist only as their toolkits describe them: for tests of agents, for demos, and to try a tool. */
export { Application, type Trouble, type Understood } from './application.ts'
export { simulatedConnection } from './connection.ts'
export { bytesOf, type Exchanged, simulatedEgress } from './egress.ts'
export { exampleArguments } from './example-arguments.ts'
export { filesInMemory } from './files.ts'
export { type Notes, notesFrom, readNotes } from './notes.ts'
export type { WireReply, WireRequest } from './wire.ts'
export { type World, worldOf } from './world.ts'
