// A worker that begins its job and never ends it: the test kills it meanwhile.
import { createLog } from '../log.ts'
import { startJobs } from './index.ts'

const tasks = [
  {
    task: 'test.slow',
    run: async () => {
      process.send?.('begun')
      await new Promise(() => {})
    },
  },
]
startJobs(process.argv[2] as string, { schedules: [], tasks }, createLog('silent'))
