import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FileBytes, openCatalog } from '../../src/catalog/index.ts'
import type { CodeToolContext } from '../../src/catalog/code-tool.ts'
import { encodeBody } from '../../src/engine/http/encode-body.ts'
import { withDeclaredFile } from '../../src/engine/files/result-files.ts'
import { renderRequest } from '../../src/catalog/manifest/compile/request/request.ts'
import { tools as gmail } from '../../toolkits/gmail/tools.ts'

const catalog = openCatalog({
  folder: fileURLToPath(new URL('../../toolkits', import.meta.url)),
  operations: false,
})
const file = new FileBytes('plan.pdf', 'application/pdf', Buffer.from('%PDF'))

test('tools that take files send them as their vendors want them', () => {
  for (const [slug, args, at, expected] of [
    [
      'GOOGLEDRIVE_UPLOAD_FILE',
      { name: 'Plan', folder_id: 'f1' },
      'https://www.googleapis.com/upload/drive/v3/files',
      /^multipart\/related; boundary=.*"metadata"\r\ncontent-type: application\/json\r\n\r\n\{"name":"Plan","parents":\["f1"\]\}\r\n.*content-type: application\/pdf\r\n\r\n%PDF\r\n/s,
    ],
    [
      'DISCORD_SEND_FILE',
      { channel_id: '12345', content: 'hi' },
      '/channels/12345/messages',
      /^multipart\/form-data; boundary=.*name="content"\r\n\r\nhi\r\n.*name="files\[0\]"; filename="plan\.pdf"\r\ncontent-type: application\/pdf\r\n\r\n%PDF/s,
    ],
    [
      'TELEGRAM_SEND_FILE',
      { chat_id: '@c' },
      '/sendDocument',
      /name="chat_id"\r\n\r\n@c\r\n.*name="document"; filename="plan\.pdf"/s,
    ],
    [
      'DROPBOX_UPLOAD_FILE',
      { path: '/plan.pdf' },
      'https://content.dropboxapi.com/2/files/upload',
      /^application\/octet-stream\n%PDF$/,
    ],
    [
      'AIRTABLE_UPLOAD_ATTACHMENT',
      { base_id: 'app1', record_id: 'rec1', field: 'Docs' },
      'https://content.airtable.com/v0/app1/rec1/Docs/uploadAttachment',
      /^application\/json\n\{"contentType":"application\/pdf","filename":"plan\.pdf","file":"JVBERg=="\}$/,
    ],
  ] as const) {
    const rendered = renderRequest(catalog.tool(slug, 'latest')!.tool.request!, { ...args, file }, () => 'x')
    const headers = { ...rendered.headers }
    const body = encodeBody(rendered, headers)
    assert.equal(rendered.path, at)
    assert.match(`${headers['content-type' as never]}\n${body}`, expected, slug)
  }
})

test('tools that return files have the bytes of the responses of their vendors', () => {
  const answerOf = (slug: string, json: Record<string, unknown>, args = {}) => {
    const found = catalog.tool(slug, 'latest')!
    return withDeclaredFile(
      found,
      args,
      { data: json, error: null, successful: true, statusCode: 200 },
      {
        status: 200,
        headers: {},
        body: json,
        reply: {
          status: 200,
          headers: { 'content-type': 'text/csv' },
          body: Buffer.from('a,b'),
          url: 'https://x.example/files/t.csv',
        },
      },
    ).data
  }
  assert.deepEqual(answerOf('GMAIL_GET_ATTACHMENT', { size: 4, data: 'JVBERg' }, { file_name: 'a.pdf' }), {
    size: 4,
    file: new FileBytes('a.pdf', 'application/octet-stream', Buffer.from('%PDF')),
  })
  assert.deepEqual(answerOf('OUTLOOK_GET_ATTACHMENT', { name: 'b.pdf', contentBytes: 'JVBERg==' }), {
    name: 'b.pdf',
    file: new FileBytes('b.pdf', 'application/octet-stream', Buffer.from('%PDF')),
  })
  for (const slug of ['DROPBOX_DOWNLOAD_FILE', 'TELEGRAM_DOWNLOAD_FILE'])
    assert.deepEqual(answerOf(slug, { value: 'a,b' }), {
      file: new FileBytes('t.csv', 'application/octet-stream', Buffer.from('a,b')),
    })
})

test('a mail with files goes as an upload: the text, then the files, with names that mail programs read', async () => {
  const calls: Parameters<CodeToolContext['request']>[0][] = []
  const context = {
    request: async (call) => {
      calls.push(call)
      return { id: 'm1', threadId: 't1' }
    },
    now: () => 0,
    signal: new AbortController().signal,
    saveFile: () => assert.fail(),
    upload: () => assert.fail(),
  } satisfies CodeToolContext
  const attachments = [file, new FileBytes('ü"\r\nx.txt', undefined, Buffer.alloc(100, 'a'))]
  await gmail['GMAIL_SEND_EMAIL']!(
    { to: ['ada@example.com'], subject: 'Plan', body: 'see it', attachments },
    context,
  )
  await gmail['GMAIL_CREATE_DRAFT']!(
    { to: ['ada@example.com'], subject: 'Plan', body: 'see it', attachments },
    context,
  )
  const [sent, draft] = calls
  assert.deepEqual(
    [sent?.path, sent?.query, draft?.path],
    [
      '/upload/gmail/v1/users/me/messages/send',
      { uploadType: 'multipart' },
      '/upload/gmail/v1/users/me/drafts',
    ],
  )
  const boundary = /^multipart\/related; boundary=(upload_\w+)$/.exec(
    sent?.headers?.['content-type'] ?? '',
  )?.[1]
  const [, metadata, mail] = String(sent?.body).split(`--${boundary}`)
  assert.match(metadata ?? '', /application\/json; charset=UTF-8\r\n\r\n\{\}\r\n$/)
  assert.match(String(draft?.body), /\r\n\r\n\{"message":\{\}\}\r\n/)
  assert.match(
    mail ?? '',
    /Content-Type: message\/rfc822\r\n\r\nTo: ada@example\.com\r\n.*Content-Type: multipart\/mixed; boundary="=_\w+\.0"\r\n\r\n.*Content-Type: application\/pdf\r\nContent-Disposition: attachment;\r\n filename="plan\.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n/s,
  )
  assert.match(mail ?? '', /filename\*=UTF-8''%C3%BC%22x\.txt\r\n/)
  assert.ok((mail ?? '').split('\r\n').every((line) => line.length <= 200))
  await assert.rejects(
    gmail['GMAIL_SEND_EMAIL']!(
      {
        to: ['a@b.co'],
        subject: 'x',
        body: 'x',
        attachments: [new FileBytes('a', undefined, Buffer.alloc(25_000_001))],
      },
      context,
    ) as Promise<unknown>,
    /25 MB together/,
  )
})
