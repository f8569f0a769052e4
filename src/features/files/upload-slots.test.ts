import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { temporaryFiles } from '#fixtures/files.ts'
import { until } from '#fixtures/until.ts'
import { requestUpload } from '../../contract/files.ts'
import type { ApiError } from '../../platform/http/api-error.ts'
import { createUploadSlots } from './upload-slots.ts'

const KILOBYTES_400 = Buffer.alloc(400_000, 'x')

test('uploads: parallel uploads do not exceed the quota, and a URL takes one upload at a time', async (t) => {
  const files = { ...temporaryFiles(t), bytesMax: 500_000, projectBytesMax: 1_000_000 }
  const s = await testApp(t, { files })
  const address = await s.app.http.listen({ port: 0, host: '127.0.0.1' })
  const urlOf = async (filename: string) => {
    const body = {
      toolkit_slug: 'gmail',
      tool_slug: 'GMAIL_SEND_EMAIL',
      filename,
      mimetype: 'text/plain',
      md5: createHash('md5').update(KILOBYTES_400).digest('hex'),
    }
    const { pathname, search } = new URL((await s.call(requestUpload, { body })).body.new_presigned_url)
    return address + pathname + search
  }
  /** Begins an upload, and returns how it ends. The last byte is sent by `finish`. */
  const begin = (url: string) => {
    const status = Promise.withResolvers<number>()
    const upload = request(url, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain', 'content-length': KILOBYTES_400.length },
    })
    upload.on('response', (response) => status.resolve(response.resume().statusCode as number))
    upload.on('error', () => status.resolve(0))
    upload.write(KILOBYTES_400.subarray(1))
    return { status: status.promise, finish: () => upload.end(KILOBYTES_400.subarray(0, 1)) }
  }
  const incoming = join(files.directory, 'incoming')
  const spooled = () => (existsSync(incoming) ? readdirSync(incoming).length : 0)
  const [first, second, third] = [await urlOf('1'), await urlOf('2'), await urlOf('3')]
  const uploads = [begin(first), begin(second)]
  await until('both uploads are on the disk', () => spooled() === 2)
  assert.equal(await begin(first).status, 409, 'the same URL again')
  assert.equal(await begin(third).status, 413, 'the quota counts what is in progress')
  assert.equal(spooled(), 2, 'no byte of them was stored')
  for (const { finish } of uploads) finish()
  assert.deepEqual(await Promise.all(uploads.map(({ status }) => status)), [200, 200])
  const late = begin(third)
  assert.equal(await late.status, 413)
})

test('uploads: all together reserve at most ten files of the largest size, and give it back', async () => {
  const slots = createUploadSlots(1_000)
  const ends = Array.from({ length: 10 }, () => Promise.withResolvers<void>())
  const running = ends.map(({ promise }, index) =>
    slots.run({ fileId: `f${index}`, projectId: `p${index % 2}`, length: undefined }, () => promise),
  )
  assert.equal(slots.reservedOf('p0'), 5_000)
  const slot = { fileId: 'more', projectId: 'p0', length: 1 }
  await assert.rejects(
    slots.run(slot, async () => {}),
    ({ slug }: ApiError) => slug === 'HTTP_ServiceUnavailable',
  )
  for (const { reject } of ends) reject(new Error('the connection broke'))
  await Promise.allSettled(running)
  assert.equal(await slots.run(slot, async () => slots.reservedOf('p0')), 1)
})
