import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { readModel, setModel } from '../../src/contract/playground.ts'
import { createPolicy } from '../../src/contract/policies/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { assertAccessible, startConsole, type TestConsole, VIEWPORTS } from './console.ts'

const KEY = 'sk-of-the-model'
const TOOL = 'UTILITIES_GET_CURRENT_TIME'

interface ModelRequest {
  messages: { role: string; content: string | null }[]
  tools?: { function: { name: string } }[]
}

/** A model that calls a tool for a question about the time, and repeats the result. */
async function startModel(t: TestContext) {
  const requests: { headers: IncomingHttpHeaders; body: ModelRequest }[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as ModelRequest
    requests.push({ headers: request.headers, body })
    const last = body.messages.at(-1)
    const call = {
      id: `call_${requests.length}`,
      type: 'function',
      function: { name: TOOL, arguments: '{"timezone":"Europe/Paris"}' },
    }
    const isWrongKey = request.headers.authorization !== `Bearer ${KEY}`
    const message =
      last?.role === 'tool'
        ? { role: 'assistant', content: `The tool returned ${last.content}` }
        : { role: 'assistant', content: null, tool_calls: [call] }
    response
      .writeHead(isWrongKey ? 401 : 200, { 'content-type': 'application/json' })
      .end(
        JSON.stringify(
          isWrongKey
            ? { error: { message: `Incorrect key ${request.headers.authorization?.slice(7)}` } }
            : { choices: [{ message, finish_reason: 'stop' }] },
        ),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

test('console: an agent works in a session, and asks for an approval', async (t) => {
  const model = await startModel(t)
  const console = await startConsole(t)
  const page = await console.open('/agent')

  await t.test('the model is set with a key that is never shown again', async () => {
    await page.getByLabel('URL of the API').fill(model.url)
    await page.getByLabel('Model').fill('test-model')
    await page.getByLabel('API key').fill('sk-wrong')
    await assertAccessible(page, 'model of the agent')
    await page.getByRole('button', { name: 'Save model' }).click()
    await page.getByRole('button', { name: 'test-model' }).waitFor()
    const { body } = await console.call(readModel)
    assert.deepEqual([body.model?.base_url, body.model?.has_api_key], [model.url, true])
    assert.ok(!JSON.stringify(body).includes('sk-wrong'))
    const row = await console.app.db.one<{ key: Buffer }>(
      sql`select encrypted_key as key from project_models`,
    )
    assert.ok(!row?.key.includes('sk-wrong'))
  })

  const stage = { model, console, page }
  await testFailure(t, stage)
  await testCall(t, stage)
  await testApproval(t, stage)
  await testSharedArguments(t, stage)
})

interface Stage {
  model: Awaited<ReturnType<typeof startModel>>
  console: TestConsole
  page: Page
}

async function testFailure(t: TestContext, { model, console, page }: Stage): Promise<void> {
  await t.test('a failure of the model is shown, without the key', async () => {
    await page.getByLabel('Applications').fill('utilities')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByLabel('Message').fill('What time is it?')
    await page.keyboard.press('Enter')
    await console.browser.saveScreenshot(page, 'console-agent-failure')
    await page.getByText('The language model returned status 401: Incorrect key [key]').waitFor()
    const changed = { base_url: `${model.url}/other`, model: 'test-model' }
    const reply = await console.call(setModel, { body: changed })
    assert.equal(
      reply.body.model?.has_api_key,
      false,
      'a key is sent only to the URL that it was stored with',
    )
    await console.call(setModel, { body: { base_url: model.url, model: 'test-model', api_key: KEY } })
  })
}

async function testCall(t: TestContext, { model, console, page }: Stage): Promise<void> {
  await t.test('the agent calls a tool and responds', async () => {
    await page.getByLabel('Message').fill('What time is it in Paris?')
    await page.keyboard.press('Enter')
    await page.getByText('The tool returned').waitFor()
    await page.getByText('Succeeded').first().waitFor()
    await assertAccessible(page, 'conversation')
    await console.browser.saveScreenshot(page, 'console-agent')
    const { headers, body } = model.requests.at(-1)!
    assert.equal(headers.authorization, `Bearer ${KEY}`)
    assert.match(body.messages.at(-1)?.content ?? '', /Europe\/Paris/)
    assert.ok((body.tools ?? []).length > 0, 'the model receives the tools of the session')
  })
}

async function testApproval(t: TestContext, { model, console, page }: Stage): Promise<void> {
  await t.test('a call that needs an approval waits for the decision on the page', async () => {
    const policy = await console.call(createPolicy, {
      body: { name: 'Ask', outcome: 'ask', when: { tools: [TOOL] }, message: 'Ask first.' },
    })
    assert.equal(policy.status, 201, JSON.stringify(policy.body))
    const ask = async (decision: string) => {
      await page.getByLabel('Message').fill(`And now? ${decision}`)
      await page.keyboard.press('Enter')
      const approval = page.getByRole('region', { name: 'Approval' })
      await approval.getByRole('region', { name: 'Arguments' }).getByText('Europe/Paris').waitFor()
      await assertAccessible(page, `approval: ${decision}`)
      await console.browser.saveScreenshot(page, 'console-agent-approval')
      await approval.getByRole('button', { name: decision }).click()
      await approval.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    }
    await ask('Allow once')
    assert.doesNotMatch(model.requests.at(-1)!.body.messages.at(-1)?.content ?? '', /Approval required/)
    await ask('Deny')
    assert.match(model.requests.at(-1)!.body.messages.at(-1)?.content ?? '', /Denied by user/)
    await page.setViewportSize(VIEWPORTS.phone)
    await assertAccessible(page, 'conversation on a phone')
  })
}

async function testSharedArguments(t: TestContext, { console, page }: Stage): Promise<void> {
  await t.test('the playground of tools keeps the arguments in the fragment of the URL', async () => {
    await page.setViewportSize(VIEWPORTS.desktop)
    await page.goto(`${console.url}/console/playground?tool=${TOOL}`)
    await page.getByRole('tab', { name: 'JSON' }).click()
    await page.getByLabel('Arguments as JSON').fill('{"timezone":"Asia/Tokyo"}')
    await page.waitForFunction("location.hash.includes('Tokyo')")
    await page.reload()
    await page.getByRole('tab', { name: 'JSON' }).click()
    assert.match(await page.getByLabel('Arguments as JSON').inputValue(), /Asia\/Tokyo/)
  })
}
