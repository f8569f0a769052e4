import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { StartupError } from '../../platform/startup-error.ts'

const BLOCK = 512
/** Of all files of the archive together, unpacked; the largest pack has 760 MB of them. */
const UNPACKED_BYTES_MAX = 2 * 1024 ** 3
const NAME_BYTES_MAX = 64 * 1024

/**
 * The files of a gzip-compressed tar archive whose name `wants`, one after the other. Reads what npm packs: POSIX ustar with the long names of pax (POSIX.1-2001);
 * links and devices are passed over. @throws StartupError when it is no such archive
 */
export async function readTarGz(
  file: string,
  wants: (name: string) => boolean,
  take: (name: string, bytes: Buffer) => Promise<void>,
): Promise<void> {
  try {
    await pipeline(createReadStream(file), createGunzip(), async (source: AsyncIterable<Buffer>) => {
      await readTar(source, wants, take)
    })
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(
      `${file} cannot be unpacked: ${(error as Error).message}.`,
      'Give the archive as the registry has it, or leave --from out to have npm get it.',
      { cause: error },
    )
  }
}

async function readTar(
  source: AsyncIterable<Buffer>,
  wants: (name: string) => boolean,
  take: (name: string, bytes: Buffer) => Promise<void>,
): Promise<void> {
  const bytes = reader(source)
  let longName: string | undefined
  for (let total = 0; ;) {
    const header = await bytes.next(BLOCK)
    if (header === undefined || header.every((byte) => byte === 0)) return
    const size = Number.parseInt(field(header, 124, 12), 8)
    if (!(size >= 0)) throw new Error('a header of the archive has no size')
    if ((total += size) > UNPACKED_BYTES_MAX)
      throw new Error(`it holds more than ${UNPACKED_BYTES_MAX} bytes`)
    const padded = Math.ceil(size / BLOCK) * BLOCK
    const type = field(header, 156, 1)
    const prefix = field(header, 257, 5) === 'ustar' ? field(header, 345, 155) : ''
    const name = longName ?? `${prefix === '' ? '' : `${prefix}/`}${field(header, 0, 100)}`
    longName = undefined
    if (type === 'x' && size <= NAME_BYTES_MAX)
      longName = pathOf(((await bytes.next(padded)) ?? Buffer.alloc(0)).subarray(0, size).toString('utf8'))
    else if ((type === '0' || type === '') && wants(name)) {
      const content = await bytes.next(padded)
      if (content === undefined) throw new Error('it ends in the middle of a file')
      await take(name, content.subarray(0, size))
    } else await bytes.skip(padded)
  }
}

const field = (header: Buffer, start: number, length: number): string =>
  header
    .toString('utf8', start, start + length)
    .replace(/\0.*$/s, '')
    .trim()

/** `30 path=package/api/…\n` of a pax header. */
const pathOf = (text: string): string | undefined => /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1]

/** Takes bytes in portions of a wanted length from chunks as they come. */
function reader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let length = 0

  /** Until so many bytes are held; false at the end. */
  async function fill(wanted: number): Promise<boolean> {
    while (length < wanted) {
      const { value, done } = await chunks.next()
      if (done) return false
      held.push(value)
      length += value.length
    }
    return true
  }

  async function next(wanted: number): Promise<Buffer | undefined> {
    if (!(await fill(wanted))) return undefined
    const all = held.length === 1 ? held[0]! : Buffer.concat(held)
    held = [all.subarray(wanted)]
    length -= wanted
    return all.subarray(0, wanted)
  }
  return {
    next,
    async skip(wanted: number): Promise<void> {
      for (let left = wanted; left > 0;) {
        const part = await next(Math.min(left, length || BLOCK))
        if (part === undefined) throw new Error('it ends in the middle of a file')
        left -= part.length
      }
    },
  }
}
