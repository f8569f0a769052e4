import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { clonedDatabase } from '#fixtures/clone.ts'
import { connect } from './pool.ts'
import { all, assignments, escapeLike, sql, values } from './sql.ts'

async function database(t: TestContext) {
  const db = connect(await clonedDatabase(t), { max: 2 })
  t.after(() => db.close())
  return db
}

test('sql: a value never becomes SQL', async (t) => {
  const db = await database(t)
  const hostile = "x'; drop table projects; --"
  assert.deepEqual(await db.rows(sql`select ${hostile}::text as a, ${1}::int as b where ${true}`), [
    { a: hostile, b: 1 },
  ])
  assert.deepEqual([sql`select ${hostile}`.text, sql`select ${hostile}`.values], ['select $1', [hostile]])
  await db.rows(sql`select 1 from projects`)
})

test('sql: absent conditions are omitted, and no condition is true', () => {
  const both = all(sql`a = ${1}`, false, undefined, null, '', sql`b = ${2}`)
  assert.deepEqual([both.text, both.values], ['a = $1 and b = $2', [1, 2]])
  assert.deepEqual([all().text, all(false).text], ['true', 'true'])
})

test('sql: rows are written by column name, and hostile names are quoted', async (t) => {
  const db = await database(t)
  await db.run(sql`create table things (id int, "odd ""name" text, other text)`)
  await db.run(sql`insert into things ${values({ id: 1, 'odd "name': "it's", other: null })}`)
  assert.equal(
    await db.run(sql`update things set ${assignments({ other: 'x', id: undefined })} where id = ${1}`),
    1,
  )
  assert.deepEqual(await db.rows(sql`select * from things`), [{ id: 1, 'odd "name': "it's", other: 'x' }])
  assert.equal(assignments({ a: 1, b: undefined, c: null }).text, '"a" = $1,"c" = $2')
})

test('sql: an escaped text matches only itself', async (t) => {
  const db = await database(t)
  const like = async (text: string, pattern: string) =>
    (await db.one<{ hit: boolean }>(sql`select ${text}::text like ${escapeLike(pattern)} as hit`))?.hit
  for (const text of ['100%', 'a_b', 'back\\slash', '%', '_', '\\', '\\%'])
    assert.equal(await like(text, text), true, text)
  for (const [text, pattern] of [
    ['1000', '100%'],
    ['axb', 'a_b'],
    ['anything', '%'],
    ['x', '_'],
  ] as const)
    assert.equal(await like(text, pattern), false, pattern)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: fc.constantFrom('a', '%', '_', '\\', "'") }), async (text) =>
      assert.equal(await like(text, text), true),
    ),
    { numRuns: 50 },
  )
})

test('sql: a failed transaction leaves nothing, and the pool continues to work', async (t) => {
  const db = await database(t)
  await db.run(sql`create table notes (id int primary key)`)
  await assert.rejects(
    db.begin(async (tx) => {
      await tx.run(sql`insert into notes values (1)`)
      throw new Error('no')
    }),
    /no/,
  )
  await assert.rejects(
    db.begin(async (tx) => {
      await tx.run(sql`insert into notes values (1)`)
      await tx.run(sql`insert into notes values (1)`)
    }),
  )
  assert.deepEqual(await db.rows(sql`select id from notes`), [])
  assert.equal(
    await db.begin(async (tx) => {
      await tx.run(sql`insert into notes values (1)`)
      return 'kept'
    }),
    'kept',
  )
  assert.deepEqual(await db.one(sql`select id from notes`), { id: 1 })
  assert.equal(await db.one(sql`select id from notes where id = ${2}`), undefined)
})
