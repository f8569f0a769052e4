import { inspect } from 'node:util'
import type { TestEvent } from 'node:test/reporters'

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data']

/** The error of a suite whose test failed: it says nothing that the test's own error does not. */
const FAILED_INSIDE = 'subtestsFailed'

/**
 * A reporter of node:test that prints why a test failed as soon as it fails. The reporter `spec` prints causes after
 * the last test, so a run that is ended earlier would say nothing about them.
 */
export default async function* reportFailures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) if (type === 'test:fail') yield describeFailure(data)
}

function describeFailure({ name, file, line, details: { error } }: Failure): string {
  const { failureType, cause } = error as Error & { failureType?: string }
  if (failureType === FAILED_INSIDE) return ''
  const text = inspect(cause ?? error, { depth: 8 })
  return `\nfailed: ${name}${file === undefined ? '' : ` (${file}:${line})`}\n${text.replace(/^/gm, '  ')}\n`
}
