// Vectors of tools from an embedding model, four bits a dimension: 125,000 tools with 768 dimensions take 60 MB. A
// first pass compares only the signs, a bit a dimension, so that all tools can be compared with a request.

/** Values are clamped at so many times the usual size of one; there is little beyond. */
const RANGE = 2.5
const LEVELS = 16
const WORD_BITS = 32

/** Vectors of the tools of one index, by the number of the tool. */
export interface ToolVectors {
  readonly dimensions: number
  has(tool: number): boolean
  /** Sets the vector of a tool from its bytes (`packVector`). Those of another length are left out. */
  set(tool: number, packed: Uint8Array): void
  /** The similarity of a tool and of a request: −1 to 1; 0 without a vector. */
  similarity(tool: number, request: RequestVector): number
  /** Differing signs of a tool and of a request; the least is the most alike. */
  distance(tool: number, request: RequestVector): number
}

/** The vector of a request, in the forms in which it is compared. */
export interface RequestVector {
  readonly values: Float32Array
  readonly signs: Uint32Array
}

/** The bytes of a vector of length 1: four bits a dimension. */
export function packVector(vector: Float32Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(vector.length / 2))
  const scale = Math.sqrt(vector.length)
  vector.forEach((value, at) => {
    const level = Math.round(((value * scale) / RANGE / 2 + 0.5) * (LEVELS - 1))
    packed[at >> 1]! |= Math.max(0, Math.min(LEVELS - 1, level)) << (4 * (at & 1))
  })
  return packed
}

/** Prepares the vector of a request. */
export function requestVector(values: Float32Array): RequestVector {
  const signs = new Uint32Array(Math.ceil(values.length / WORD_BITS))
  values.forEach((value, at) => {
    if (value >= 0) signs[at >> 5]! |= 1 << (at & 31)
  })
  return { values, signs }
}

/** Room for the vectors of so many tools. */
export function createToolVectors(tools: number, dimensions: number): ToolVectors {
  const rowBytes = Math.ceil(dimensions / 2)
  const rowWords = Math.ceil(dimensions / WORD_BITS)
  const rows = new Uint8Array(tools * rowBytes)
  const signs = new Uint32Array(tools * rowWords)
  const lengths = new Float32Array(tools)
  const levelOf = (tool: number, at: number): number =>
    ((rows[tool * rowBytes + (at >> 1)]! >> (4 * (at & 1))) & (LEVELS - 1)) - (LEVELS - 1) / 2
  return {
    dimensions,
    has: (tool) => lengths[tool]! > 0,
    set(tool, packed) {
      if (packed.length !== rowBytes) return
      rows.set(packed, tool * rowBytes)
      signs.fill(0, tool * rowWords, (tool + 1) * rowWords)
      let square = 0
      for (let at = 0; at < dimensions; at++) {
        const level = levelOf(tool, at)
        square += level * level
        if (level > 0) signs[tool * rowWords + (at >> 5)]! |= 1 << (at & 31)
      }
      lengths[tool] = Math.sqrt(square)
    },
    similarity(tool, { values }) {
      if (lengths[tool] === 0) return 0
      let dot = 0
      for (let at = 0; at < dimensions; at++) dot += values[at]! * levelOf(tool, at)
      return dot / lengths[tool]!
    },
    distance(tool, request) {
      let differing = 0
      const from = tool * rowWords
      for (let word = 0; word < rowWords; word++)
        differing += bitsOf(signs[from + word]! ^ request.signs[word]!)
      return differing
    },
  }
}

/** Number of the bits of a 32-bit integer that are set. */
function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
