import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { StartupError } from '../../platform/startup-error.ts'

/** All files of the archive together, unpacked; the largest pack has 760 MB. */
const UNPACKED_BYTES_MAX = 2 * 1024 ** 3

/**
 * Reads the files of a gzip-compressed tar archive whose name `accepts`, one after the other. Links and
 * devices are skipped. @throws StartupError when the file is not such an archive
 */
export async function readTarGz(
  file: string,
  accepts: (name: string) => boolean,
  onFile: (name: string, bytes: Buffer) => Promise<void>,
): Promise<void> {
  const entries = extract()
  try {
    await Promise.all([
      pipeline(createReadStream(file), createGunzip(), entries),
      readEntries(entries, accepts, onFile),
    ])
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(
      `${file} cannot be unpacked: ${reasonOf(error as Error)}.`,
      'Use the archive exactly as the registry has it, or omit --from and let npm download it.',
      { cause: error },
    )
  }
}

async function readEntries(
  entries: ReturnType<typeof extract>,
  accepts: (name: string) => boolean,
  onFile: (name: string, bytes: Buffer) => Promise<void>,
): Promise<void> {
  let total = 0
  for await (const entry of entries) {
    const { name, type, size } = entry.header
    total += size
    if (total > UNPACKED_BYTES_MAX) throw new Error(`it holds more than ${UNPACKED_BYTES_MAX} bytes`)
    if (type === 'file' && accepts(name)) await onFile(name, await buffer(entry as AsyncIterable<Buffer>))
    else entry.resume()
  }
}

const reasonOf = ({ message }: Error): string =>
  message === 'Unexpected end of data' ? 'it ends in the middle of a file' : message
