import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#fixtures/app.ts'
import { listAuditLog } from '../../contract/audit-log.ts'
import { exportLogs, searchLogs } from '../../contract/logs/index.ts'
import { sql, values } from '../../platform/db/sql.ts'

test('logs: an export has what the search finds, page by page, and each page is in the audit log', async (t) => {
  const s = await testApp(t)
  for (let n = 0; n < 5; n++) {
    await s.app.db.run(
      sql`insert into tool_executions ${values({
        id: `log_${String(n).padStart(12, '0')}`,
        project_id: s.keys.projectId,
        tool_slug: 'SHOP_GET_ORDER',
        toolkit_slug: 'shop',
        version: '20260101_00',
        user_id: n === 4 ? '=HYPERLINK("http://evil.example")' : 'ann',
        request_id: `r-${n}`,
        successful: n > 0,
        error: n === 0 ? 'not "found",\nreally' : null,
        duration_ms: -n,
        created_at: new Date(Date.now() - 60_000 + n * 1_000),
      })}`,
    )
  }
  const exportPage = async (body: Record<string, unknown>) => {
    const reply = await s.call(exportLogs, { body })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body
  }

  const first = await exportPage({ format: 'csv', limit: 3 })
  const second = await exportPage({ format: 'csv', limit: 3, cursor: first.next_cursor })
  assert.equal(second.next_cursor, null)
  const file = first.content + second.content
  assert.equal(file.match(/^timestamp,id,status,/gm)?.length, 1)
  assert.deepEqual(
    file.match(/log_\d{12}/g),
    [4, 3, 2, 1, 0].map((n) => `log_${String(n).padStart(12, '0')}`),
  )
  assert.match(file, /,"'=HYPERLINK\(""http:\/\/evil\.example""\)",/)
  assert.match(file, /,-3,/)
  assert.match(file, /,"not ""found"",\nreally"\r\n$/)

  const filters = [{ field: 'status', operator: '==', value: 'failed' }]
  const { body: found } = await s.call(searchLogs, { body: { filters } as never })
  const { content } = await exportPage({ filters })
  assert.deepEqual(
    content
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    found.logs,
  )

  const other = await s.otherProject()
  assert.equal((await other(exportLogs, { body: {} })).body.content, '')
  assert.equal((await s.call(exportLogs, { body: { format: 'xml' } as never })).status, 400)

  const { body: audited } = await s.call(listAuditLog, {
    query: { action: 'logs.export', outcome: 'success' },
  })
  assert.equal(audited.total_items, 3)
})
