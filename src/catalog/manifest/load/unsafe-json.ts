const DEPTH_MAX = 64

/**
 * Returns why a JSON value must not be used, whatever its shape: nesting that exhausts the stack of later
 * functions, or a key that changes a prototype. Undefined for a safe value.
 */
export function unsafeJsonReason(value: unknown): string | undefined {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return `is nested deeper than ${DEPTH_MAX} levels.`
    const next: unknown[] = []
    for (const item of level) {
      if (item === null || typeof item !== 'object') continue
      if (Object.hasOwn(item, '__proto__')) return 'must not use the key `__proto__`.'
      for (const inner of Object.values(item))
        if (inner !== null && typeof inner === 'object') next.push(inner)
    }
    level = next
  }
  return undefined
}
