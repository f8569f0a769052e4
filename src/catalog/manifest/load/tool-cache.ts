import { LRUCache } from 'lru-cache'
import type { Tool, ToolReading } from '../../types/index.ts'

/** For all toolkits together: about 1,300 tools. A call that needs another one compiles it in a tenth of a millisecond. */
const BYTES_MAX = 20 * 1024 * 1024
/**
 * Memory for each byte of the compressed manifest, and for each tool. Measured over 10,700 generated tools of 740 bytes
 * on average: 5.0 kB for a compiled tool, and 8.5 kB for its parameters in all forms.
 */
const MEMORY_PER_BYTE = 17
const MEMORY_PER_TOOL = 1_000

/** Recently used tools that are compiled one by one, of all toolkits. */
const tools = new LRUCache<string, { readonly tool: Tool; readonly compressedBytes: number }>({
  maxSize: BYTES_MAX,
  sizeCalculation: ({ compressedBytes }) => compressedBytes * MEMORY_PER_BYTE + MEMORY_PER_TOOL,
})

/**
 * Returns a tool from the cache, or compiles it.
 * @param key names the content and everything else that the tool is compiled with
 */
export function cachedTool(
  key: string,
  compressedBytes: number,
  compile: () => Tool,
  { remember = true }: ToolReading = {},
): Tool {
  const known = tools.get(key)
  if (known) return known.tool
  const tool = compile()
  if (remember) tools.set(key, { tool, compressedBytes })
  return tool
}
