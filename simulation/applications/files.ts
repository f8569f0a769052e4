const BYTES_MAX = 10 * 1024 * 1024
/** Where the addresses of these files lead: nowhere. */
const NOWHERE = 'https://files.example.com'

/**
 * Files that live as long as the process: whatever key is read, there is a small text under it. In the shape
 * that the engine asks for.
 */
export function filesInMemory() {
  const saved = new Map<string, { filename: string; mimetype: string; bytes: Buffer }>()
  return {
    bytesMax: BYTES_MAX,
    async read(_projectId: string, key: string) {
      return (
        saved.get(key) ?? {
          filename: key.split('/').at(-1) || 'example.txt',
          mimetype: 'text/plain',
          bytes: Buffer.from('An example.\n'),
        }
      )
    },
    async save(
      _projectId: string,
      { name, mimetype, bytes }: { name: string; mimetype: string; bytes: Buffer },
    ) {
      const key = `simulated/${saved.size + 1}/${name}`
      saved.set(key, { filename: name, mimetype, bytes })
      return {
        name,
        mimetype,
        size: bytes.length,
        key,
        url: `${NOWHERE}/${key}`,
        expiresAt: new Date(Date.UTC(2026, 0, 6)).toISOString(),
      }
    },
  }
}
