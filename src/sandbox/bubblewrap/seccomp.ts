import { Buffer } from 'node:buffer'
import { CHECKED_SYSTEM_CALLS, DENIED_SYSTEM_CALLS, LAST_KNOWN_SYSTEM_CALL } from './system-calls.ts'

// A seccomp filter is a program of classic BPF over `struct seccomp_data` (seccomp(2)): nr at 0, arch at 4, arguments
// from 16 on, 8 bytes each. It is small, so it is generated here instead of by libseccomp.

const ARCHITECTURES = {
  x64: { column: 0, audit: 0xc000003e },
  arm64: { column: 1, audit: 0xc00000b7 },
} as const

const LOAD_WORD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_GREATER = 0x25
const JUMP_IF_BITS = 0x45
const RETURN = 0x06

const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const errno = (code: number): number => 0x00050000 | code
const EPERM = errno(1)
const ENOSYS = errno(38)
const EAFNOSUPPORT = errno(97)

const NUMBER_AT = 0
const ARCHITECTURE_AT = 4
/** The low half of an argument on little-endian machines. */
const argumentAt = (index: number): number => 16 + 8 * index

/** CLONE_NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, NEWNS. */
const NEW_NAMESPACES = 0x7e020000
const AF_UNIX = 1
/** Terminal requests that put input into the terminal of the parent. */
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number]

const load = (at: number): Instruction => [LOAD_WORD, 0, 0, at]
const result = (value: number): Instruction => [RETURN, 0, 0, value]
/** Returns a result if the loaded word has the value, else continues. */
const returnIfEqual = (value: number, action: number): Instruction[] => [
  [JUMP_IF_EQUAL, 0, 1, value],
  result(action),
]
/** Continues with these instructions if the loaded word has the value, else behind them. */
const ifEqual = (value: number, instructions: readonly Instruction[]): Instruction[] => [
  [JUMP_IF_EQUAL, 0, instructions.length, value],
  ...instructions,
]

/**
 * Generates the filter of a sandbox for this architecture, or undefined for one that the list of calls does not cover.
 */
export function createSeccompFilter(architecture: string = process.arch): Buffer | undefined {
  const target = (ARCHITECTURES as Partial<Record<string, (typeof ARCHITECTURES)['x64' | 'arm64']>>)[
    architecture
  ]
  if (!target) return undefined
  const { column, audit } = target
  const { clone, clone3, ioctl, socket } = CHECKED_SYSTEM_CALLS
  const denied = Object.values(DENIED_SYSTEM_CALLS).flatMap((numbers) => numbers[column] ?? [])
  const program: Instruction[] = [
    load(ARCHITECTURE_AT),
    [JUMP_IF_EQUAL, 1, 0, audit],
    result(KILL_PROCESS),
    load(NUMBER_AT),
    // Also the calls of x32, whose numbers begin at 2^30.
    [JUMP_IF_GREATER, 0, 1, LAST_KNOWN_SYSTEM_CALL],
    result(ENOSYS),
    // Its flags are in memory, which a filter cannot read. The C library continues with `clone`.
    ...returnIfEqual(clone3[column], ENOSYS),
    ...denied.flatMap((number) => returnIfEqual(number, EPERM)),
    ...ifEqual(clone[column], [
      load(argumentAt(0)),
      [JUMP_IF_BITS, 0, 1, NEW_NAMESPACES],
      result(EPERM),
      result(ALLOW),
    ]),
    ...ifEqual(socket[column], [load(argumentAt(0)), ...returnIfEqual(AF_UNIX, ALLOW), result(EAFNOSUPPORT)]),
    ...ifEqual(ioctl[column], [
      load(argumentAt(1)),
      ...returnIfEqual(TIOCSTI, EPERM),
      ...returnIfEqual(TIOCLINUX, EPERM),
    ]),
    result(ALLOW),
  ]
  return encodeProgram(program)
}

/** `struct sock_filter`: 16 bits, two bytes, 32 bits. Both architectures are little endian. */
function encodeProgram(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach(([code, jumpTrue, jumpFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(jumpTrue, index * 8 + 2)
    bytes.writeUInt8(jumpFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  })
  return bytes
}
