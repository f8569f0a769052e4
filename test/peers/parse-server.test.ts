import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type EmbeddedDatabase, startEmbedded } from '../../src/platform/db/embedded/index.ts'
import { type ParseServerPeer, startParseServer } from './parse-server.ts'
import { parsePostgresUrl } from './postgres-url.ts'

interface Answer {
  status: number
  body: any
}

describe('Parse Server', { timeout: 120_000 }, () => {
  let dataDir: string
  let database: EmbeddedDatabase
  let parse: ParseServerPeer

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'patchbay-parse-test-'))
    database = await startEmbedded({ dataDir })
    parse = await startParseServer({ databaseUrl: database.url })
  })
  after(async () => {
    await parse?.stop()
    await database?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> {
    const response = await fetch(`${parse.url}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    return { status: response.status, body: await response.json() }
  }
  const client = () => ({
    'x-parse-application-id': parse.applicationId,
    'x-parse-rest-api-key': parse.restApiKey,
  })
  const master = () => ({ ...client(), 'x-parse-master-key': parse.masterKey })

  it('makes a class for who has the master key, and for nobody else', async () => {
    const schema = { className: 'Note', fields: { title: { type: 'String' }, stars: { type: 'Number' } } }
    assert.deepEqual(await ask('POST', '/schemas/Note', client(), schema), {
      status: 403,
      body: { error: 'Permission denied' },
    })
    const made = await ask('POST', '/schemas/Note', master(), schema)
    assert.equal(made.status, 200)
    assert.deepEqual(made.body.fields.stars, { type: 'Number' })
    const again = await ask('POST', '/schemas/Note', master(), schema)
    assert.deepEqual(again, { status: 400, body: { code: 103, error: 'Class Note already exists.' } })
  })

  it('keeps objects and finds them by a where clause', async () => {
    for (const [title, stars] of [
      ['first', 1],
      ['second', 2],
      ['third', 3],
    ] as const) {
      assert.equal((await ask('POST', '/classes/Note', client(), { title, stars })).status, 201)
    }
    const query = new URLSearchParams({
      where: JSON.stringify({ stars: { $gte: 2 } }),
      order: '-stars',
      count: '1',
    })
    const found = await ask('GET', `/classes/Note?${query}`, client())
    assert.equal(found.status, 200)
    assert.equal(found.body.count, 2)
    assert.deepEqual(
      found.body.results.map((note: { title: string }) => note.title),
      ['third', 'second'],
    )
  })

  it('answers with a code and an error when an object does not fit or does not exist', async () => {
    assert.deepEqual(await ask('POST', '/classes/Note', client(), { title: 5 }), {
      status: 400,
      body: { code: 111, error: 'schema mismatch for Note.title; expected String but got Number' },
    })
    assert.deepEqual(await ask('GET', '/classes/Note/missing', client()), {
      status: 404,
      body: { code: 101, error: 'Object not found.' },
    })
  })

  it('lets a client make a class by its first object', async () => {
    assert.equal((await ask('POST', '/classes/Unheard', client(), { a: 1 })).status, 201)
  })

  it('refuses a request without the right application id and REST key', async () => {
    const refusal = { status: 403, body: { error: 'unauthorized' } }
    assert.deepEqual(
      await ask('GET', '/classes/Note', { ...client(), 'x-parse-rest-api-key': 'wrong' }),
      refusal,
    )
    assert.deepEqual(
      await ask('GET', '/classes/Note', { 'x-parse-application-id': parse.applicationId }),
      refusal,
    )
    assert.deepEqual(
      await ask('GET', '/classes/Note', { ...client(), 'x-parse-application-id': 'wrong' }),
      refusal,
    )
  })

  it('does many things in one request', async () => {
    const path = '/parse/classes/Note'
    const { status, body } = await ask('POST', '/batch', client(), {
      requests: [
        { method: 'POST', path, body: { title: 'batched' } },
        { method: 'DELETE', path: `${path}/missing` },
      ],
    })
    assert.equal(status, 200)
    assert.match(body[0].success.objectId, /^\w{10}$/)
    assert.deepEqual(body[1], { error: { code: 101, error: 'Object not found.' } })
  })

  it('signs users up and in', async () => {
    const account = { username: 'joe', password: 'secret' }
    assert.equal((await ask('POST', '/users', client(), account)).status, 201)
    const session = await ask('POST', '/login', client(), account)
    assert.equal(session.status, 200)
    const me = await ask('GET', '/users/me', {
      ...client(),
      'x-parse-session-token': session.body.sessionToken,
    })
    assert.equal(me.body.username, 'joe')
    assert.deepEqual(await ask('POST', '/login', client(), { ...account, password: 'wrong' }), {
      status: 404,
      body: { code: 101, error: 'Invalid username/password.' },
    })
  })
})

describe('PostgreSQL URLs', () => {
  const parts = { port: 5432, user: 'me', password: 'p%/w', database: 'db' }

  it('may name a host, a socket directory as the host, or a socket directory in the query', () => {
    assert.deepEqual(parsePostgresUrl('postgres://me:p%25%2Fw@db.example:6543/db'), {
      ...parts,
      host: 'db.example',
      port: 6543,
    })
    assert.deepEqual(parsePostgresUrl('postgres://me:p%25%2Fw@%2Frun%2Fpg/db'), { ...parts, host: '/run/pg' })
    assert.deepEqual(parsePostgresUrl('postgresql://me:p%25%2Fw@localhost/db?host=%2Frun%2Fpg'), {
      ...parts,
      host: '/run/pg',
    })
  })
})
