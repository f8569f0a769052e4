import { randomBytes } from 'node:crypto'
import type { EmscriptenFs } from './emscripten.ts'
import { MOUNT } from './mount.ts'

export const OUTPUT_FOLDER = `${MOUNT}/.service/output`
/** The part of a stream that is written to a file. More is dropped, so that output cannot fill the memory. */
const STORED_BYTES_MAX = 10_000_000

/** Collects a stream. */
export function createCollector() {
  let chunks: Uint8Array[] = []
  let length = 0
  let dropped = 0
  return {
    add(bytes: Uint8Array): void {
      const fitting = bytes.subarray(0, Math.max(0, STORED_BYTES_MAX - length))
      if (fitting.length) chunks.push(fitting.slice())
      length += fitting.length
      dropped += bytes.length - fitting.length
    },
    /** Returns the text, and forgets it. */
    take(): string {
      const bytes = new Uint8Array(length)
      let at = 0
      for (const chunk of chunks) {
        bytes.set(chunk, at)
        at += chunk.length
      }
      const text = new TextDecoder().decode(bytes)
      const note = dropped > 0 ? `\n[${dropped} more bytes of output were dropped]\n` : ''
      chunks = []
      length = dropped = 0
      return text + note
    },
  }
}

/** Cuts a text, and writes the whole one to a file of the mount. */
export function cutOutput(
  FS: EmscriptenFs,
  name: string,
  text: string,
  characters: number,
): { text: string; path: string | null } {
  if (text.length <= characters) return { text, path: null }
  const path = `${OUTPUT_FOLDER}/${name}_${randomBytes(5).toString('hex')}.txt`
  const begin = `${text.slice(0, characters)}\n[cut after ${characters} of ${text.length} characters`
  try {
    FS.mkdirTree(OUTPUT_FOLDER)
    FS.writeFile(path, new TextEncoder().encode(text))
    return { text: `${begin}; the whole text is in ${path}]`, path }
  } catch {
    return { text: `${begin}; the disk is full, so the rest is lost]`, path: null }
  }
}

export const countLines = (text: string): number =>
  text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
