import { load } from '../execute/callers.ts'
import type { ClientTask } from './client.ts'
import { callSteadily } from './steady-caller.ts'

process.once('message', (task: ClientTask) => {
  const figures = task.kind === 'steady' ? callSteadily(task.load) : load(task.load)
  void figures.then((result) => process.send?.(result))
})
