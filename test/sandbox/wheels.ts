import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'

export type WheelFiles = Readonly<Record<string, string | Uint8Array>>

/** A ZIP archive with compressed files. */
export function zip(files: WheelFiles): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as Uint8Array)
    const compressed = deflateRawSync(bytes)
    // Version, flags, method, time, date, hash, sizes, length of the name, length of further fields.
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(compressed.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const more = Buffer.alloc(14)
    more.writeUInt32LE(offset, 10)
    list.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), fields, more, Buffer.from(name))
    const local = [Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), compressed]
    parts.push(...local)
    offset += local.reduce((sum, { length }) => sum + length, 0)
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(Buffer.concat(list).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...list, end])
}

/** A folder with wheels, and with their hashes in SHA256SUMS. */
export function wheelFolder(t: TestContext, wheels: Readonly<Record<string, WheelFiles>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-wheels-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const lines = Object.entries(wheels).map(([name, files]) => {
    const bytes = zip(files)
    writeFileSync(join(folder, name), bytes)
    return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
  })
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
  return folder
}

const section = (id: number, ...content: number[]): number[] => [id, content.length, ...content]
const text = (value: string): number[] => [value.length, ...Buffer.from(value)]
const I32 = 0x7f
const FUNCTION = 0x60

/** Offsets in the data of the module: the name and the constant are behind `PyModuleDef`, which has 52 bytes. */
const NAME_AT = 52
const CONSTANT_AT = 57
const MODULE_DATA = Buffer.concat([
  // An immortal reference count; `m_size` is -1.
  Buffer.from([
    0,
    0,
    0,
    0x50,
    ...Array<number>(24).fill(0),
    0xff,
    0xff,
    0xff,
    0xff,
    ...Array<number>(20).fill(0),
  ]),
  Buffer.from('tiny\0ANSWER\0'),
])

/**
 * A native module `tiny` with the constant ANSWER = 42, as a compiler would make it from
 * `PyModule_Create(&definition)` and `PyModule_AddIntConstant(module, "ANSWER", 42)`.
 */
export const TINY_LIBRARY = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  // Memory that Emscripten reserves: its size and alignment; no functions in the table.
  ...section(0, ...text('dylink.0'), 1, 4, MODULE_DATA.length, 2, 0, 0),
  ...section(
    1,
    ...[3, FUNCTION, 2, I32, I32, 1, I32],
    ...[FUNCTION, 0, 1, I32],
    ...[FUNCTION, 3, I32, I32, I32, 1, I32],
  ),
  ...section(
    2,
    ...[4, ...text('env'), ...text('memory'), 2, 0, 0],
    ...[...text('env'), ...text('__memory_base'), 3, I32, 0],
    ...[...text('env'), ...text('PyModule_Create2'), 0, 0],
    ...[...text('env'), ...text('PyModule_AddIntConstant'), 0, 2],
  ),
  ...section(3, 1, 1),
  ...section(7, 1, ...text('PyInit_tiny'), 0, 2),
  ...section(
    10,
    ...[1, 37, 1, 1, I32],
    // The definition gets the address of its name.
    ...[0x23, 0, 0x23, 0, 0x41, NAME_AT, 0x6a, 0x36, 2, 20],
    // PyModule_Create2(definition, 1013)
    ...[0x23, 0, 0x41, 0xf5, 0x07, 0x10, 0, 0x21, 0],
    // PyModule_AddIntConstant(module, "ANSWER", 42)
    ...[0x20, 0, 0x23, 0, 0x41, CONSTANT_AT, 0x6a, 0x41, 42, 0x10, 1, 0x1a],
    ...[0x20, 0, 0x0b],
  ),
  ...section(11, 1, 0, 0x23, 0, 0x0b, MODULE_DATA.length, ...MODULE_DATA),
])
