import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventStream, messageText, positionText, retryText } from './sse.ts'

function read(text: string, chunkBytes: number) {
  const events: [data: string, type: string, id: string | undefined][] = []
  const stream = eventStream((...event) => events.push(event))
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += chunkBytes) stream.push(bytes.subarray(at, at + chunkBytes))
  return { events, lastId: stream.lastId, retryMs: stream.retryMs }
}

test('event stream: messages, positions and the retry time are read, however the bytes are split', () => {
  const text = retryText(1_500) + messageText('7', '{"text":"ü"}') + positionText('9')
  for (let chunkBytes = 1; chunkBytes <= text.length; chunkBytes++)
    assert.deepEqual(read(text, chunkBytes), {
      events: [['{"text":"ü"}', 'message', '7']],
      lastId: '9',
      retryMs: 1_500,
    })
})

test('event stream: each kind of line ending ends a line at once', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const text = ['event: note', 'data: a', 'data: b', 'id: 3', '', 'data', '', ''].join(end)
    for (const chunkBytes of [1, 2, 5, 100])
      assert.deepEqual(read(text, chunkBytes).events, [['a\nb', 'note', '3']], JSON.stringify(end))
  }
})

test('event stream: an event without an id keeps the id of the event before it', () => {
  assert.deepEqual(read('id: 1\ndata: a\n\ndata: b\n\n', 100).events, [
    ['a', 'message', '1'],
    ['b', 'message', '1'],
  ])
})

test('event stream: retry times that are no number, or that are too large, are ignored', () => {
  assert.equal(read('retry: soon\nretry: 99999999999\n\n', 100).retryMs, undefined)
})
