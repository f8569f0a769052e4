import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { LoopFigures } from './loop-meter.ts'

/** Returns what a server needs to measure its event loop, and a function that reads the figures since the last call. */
export function createLoopMeter() {
  const socketPath = join(tmpdir(), `patchbay-loop-${process.pid}.sock`)
  return {
    env: { LOOP_METER_SOCKET: socketPath },
    nodeArguments: ['--import', fileURLToPath(new URL('./loop-meter.ts', import.meta.url))],
    read: () =>
      new Promise<LoopFigures>((resolve, reject) => {
        request({ socketPath, path: '/' }, (response) => {
          text(response).then((body) => resolve(JSON.parse(body) as LoopFigures), reject)
        })
          .on('error', reject)
          .end()
      }),
  }
}
