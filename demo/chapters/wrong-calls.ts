import { type Chapter, expect } from '../tour.ts'

export const wrongCalls: Chapter = async ({ stage, api }) => {
  await stage.chapter('Errors that an agent can fix')
  await stage.say(
    'A model misspells an argument and sends a word where a number belongs. The failure names each ' +
      'mistake, and nothing was sent to Parse Server.',
  )
  const wrong = await api.execute('PARSE_QUERY_OBJECTS', 'alice', {
    class_name: 'Task',
    limit: 'ten',
    sort: 'title',
  })
  expect(wrong.status === 200 && wrong.body.successful === false, 'wrong arguments fail the tool', wrong.body)
  const right = await api.execute('PARSE_QUERY_OBJECTS', 'alice', {
    class_name: 'Task',
    limit: 10,
    order: 'title',
    keys: ['title'],
  })
  expect(right.body.successful, 'corrected arguments work', right.body)

  await stage.say('And an agent that works for Bob does not get at what Alice connected.')
  const bob = await api.execute('PARSE_QUERY_OBJECTS', 'bob', { class_name: 'Task' })
  expect(bob.status === 404, 'accounts belong to their users', bob.body)
}
