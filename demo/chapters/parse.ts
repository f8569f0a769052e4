import { type Chapter, expect, type Tour } from '../tour.ts'

export const parseServer: Chapter = async ({ stage, api, parse }) => {
  await stage.chapter('Connected by a key: Parse Server')
  await stage.say(
    'The developer says once how users sign in: an auth config. Then each user connects an account. Here ' +
      'Alice types her key wrong, and Patchbay asks Parse Server before it believes her.',
  )
  const config = await api.send('POST', '/api/v3.1/auth_configs', {
    body: { toolkit: { slug: 'parse' }, auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY' } },
    show: ({ auth_config: { id, auth_scheme } }) => ({ auth_config: { id, auth_scheme } }),
  })
  const val = {
    server_url: parse.url,
    application_id: parse.applicationId,
    generic_api_key: parse.restApiKey,
  }
  const connect = (credentials: object) =>
    api.send('POST', '/api/v3.1/connected_accounts', {
      body: {
        auth_config: { id: config.body.auth_config.id },
        connection: { user_id: 'alice', state: { authScheme: 'API_KEY', val: credentials } },
        validate_credentials: true,
      },
      show: ({ id, status, redirect_url }) => ({ id, status, redirect_url }),
    })
  const wrong = await connect({ ...val, generic_api_key: 'oops-wrong-key' })
  expect(wrong.status === 400, 'a wrong key is rejected', wrong.body)

  await stage.say(
    'With the right key the account is ACTIVE at once. The key is encrypted before it is stored, and is ' +
      'never shown again.',
  )
  const account = await connect(val)
  expect(account.body.status === 'ACTIVE', 'a right key connects', account.body)
  const stored = await api.send('GET', `/api/v3.1/connected_accounts/${account.body.id}`, {
    show: ({
      toolkit,
      user_id,
      status,
      state: {
        val: { server_url, generic_api_key },
      },
    }) => ({ toolkit: toolkit.slug, user_id, status, val: { server_url, generic_api_key } }),
  })
  expect(!JSON.stringify(stored.body).includes(parse.restApiKey), 'a key is masked')

  await createTasks(stage, api)
}

/** Calls tools as Alice, with the account that she connected. */
async function createTasks(stage: Tour['stage'], api: Tour['api']): Promise<void> {
  await stage.say('From now on a tool call names the user, not the key.')
  for (const data of [
    { title: 'Water the plants', priority: 2 },
    { title: 'Feed the cat', priority: 5 },
  ]) {
    const made = await api.execute('PARSE_CREATE_OBJECT', 'alice', { class_name: 'Task', data })
    expect(made.body.successful, 'an object is created', made.body)
  }
  const tasks = await api.execute('PARSE_QUERY_OBJECTS', 'alice', {
    class_name: 'Task',
    where: { priority: { $gte: 2 } },
    order: '-priority',
    keys: ['title', 'priority'],
  })
  expect(
    tasks.body.data?.results?.[0]?.title === 'Feed the cat',
    'objects are found in the order asked for',
    tasks.body,
  )
}
