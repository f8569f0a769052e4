import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { databaseAt, TEMPLATE } from './database.ts'

/** A database of its own for a test, cloned from the migrated template; gone when the test ends. Answers its address. */
export async function clonedDatabase(t: TestContext, template = TEMPLATE): Promise<string> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server)
    throw new Error(
      'No test database: run tests with `npm test` (one file: `npm test -- path/to/file.test.ts`).',
    )
  const name = `t_${randomBytes(8).toString('hex')}`
  await administer(server, `create database ${name} template ${template} strategy file_copy`)
  t.after(() => administer(server, `drop database ${name} with (force)`))
  return databaseAt(server, name)
}

async function administer(url: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    await admin.query(statement)
  } finally {
    await admin.end()
  }
}
