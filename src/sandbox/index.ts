export {
  createSandboxes,
  SandboxBusy,
  type Sandboxes,
  type SandboxLimits,
  type SandboxRequest,
  type SandboxResult,
} from './sandboxes.ts'
export type {
  HostReply,
  MountEntry,
  SandboxDriver,
  SandboxHost,
  SandboxOperation,
  SandboxOutcome,
  SandboxRun,
  SandboxSize,
} from './types.ts'
export { createWasmDriver, type WasmDriverOptions } from './wasm/driver.ts'
export { createBubblewrapDriver, type BubblewrapDriverOptions } from './bubblewrap/driver.ts'
export { createRemoteDriver, type RemoteDriverOptions } from './remote/driver.ts'
