import { load } from '../execute/callers.ts'
import type { ClientTask } from './client.ts'
import { callSteadily } from './steady-caller.ts'
import { openStreams } from './streams.ts'

async function run(task: ClientTask): Promise<unknown> {
  if (task.kind === 'steady') return callSteadily(task.load)
  const closeStreams = openStreams(task.load, task.load.streams ?? 0)
  try {
    return await load(task.load)
  } finally {
    closeStreams()
  }
}

process.once('message', (task: ClientTask) => {
  void run(task).then((result) => process.send?.(result))
})
