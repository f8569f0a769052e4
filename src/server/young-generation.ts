import v8 from 'node:v8'

/**
 * Lets the young generation of the heap grow with the load, as V8 does by default. The launcher limits it for the
 * start: what a start reads would make it grow to 130 MB, and an idle process would keep them.
 */
export function releaseYoungGeneration(): void {
  v8.setFlagsFromString('--semi-space-growth-factor=2')
}
