export { createSandboxes, SandboxBusy } from './sandboxes.ts'
export type {
  HostReply,
  MountEntry,
  SandboxDriver,
  Sandboxes,
  SandboxHost,
  SandboxLimits,
  SandboxOperation,
  SandboxOutcome,
  SandboxRequest,
  SandboxResult,
  SandboxRun,
  SandboxSize,
} from './types.ts'
export { SharedMemory } from './shared-memory.ts'
export { createWasmDriver, type WasmDriverOptions } from './wasm/driver.ts'
export { createBubblewrapDriver, type BubblewrapDriverOptions } from './bubblewrap/driver.ts'
export { createRemoteDriver, type RemoteDriverOptions } from './remote/driver.ts'
