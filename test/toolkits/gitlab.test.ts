import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vendor } from './vendor.ts'

test('a server of one’s own below a path is called there, and a project or a file is one segment', async (t) => {
  const { stub, run } = await vendor(t, 'gitlab', 'https://gitlab.com')
  const connection = ['BEARER_TOKEN', { token: 'glpat-1', server_url: `${stub.url}/git` }] as const
  await run(
    'GITLAB_LIST_ISSUES',
    { project_id: 'group/sub/project', labels: ['bug', 'a b'], state: 'opened' },
    ...connection,
  )
  const { url, headers } = stub.requests.at(-1)!
  assert.equal(headers.authorization, 'Bearer glpat-1')
  assert.equal(
    url,
    '/git/api/v4/projects/group%2Fsub%2Fproject/issues?state=opened&labels=bug,a%20b&order_by=created_at&sort=desc&page=1&per_page=20',
  )
  stub.answer = () => ({ text: '# Hello' })
  const { data } = await run(
    'GITLAB_GET_FILE',
    { project_id: '7', file_path: 'docs/read me.md' },
    ...connection,
  )
  assert.deepEqual(
    [stub.requests.at(-1)!.url, data],
    ['/git/api/v4/projects/7/repository/files/docs%2Fread%20me.md/raw?ref=HEAD', { value: '# Hello' }],
  )
  await run(
    'GITLAB_UPDATE_ISSUE',
    { project_id: '7', issue_iid: 3, add_labels: ['x', 'y'], state_event: 'close' },
    ...connection,
  )
  assert.deepEqual(JSON.parse(stub.requests.at(-1)!.body), { state_event: 'close', add_labels: 'x,y' })
})

test('a message that is an object is reported as a whole', async (t) => {
  const { stub, run } = await vendor(t, 'gitlab', 'https://gitlab.com')
  stub.answer = () => ({ status: 400, json: { message: { title: ["can't be blank"] } } })
  assert.match(
    String(
      (
        await run('GITLAB_CREATE_ISSUE', { project_id: '7', title: 'x' }, 'BEARER_TOKEN', {
          token: 'glpat-1',
          server_url: stub.url,
        })
      ).error,
    ),
    /\{"title":\["can't be blank"\]\}$/,
  )
})
