import { type Chapter, expect } from '../tour.ts'

export const firstTool: Chapter = async ({ stage, api }) => {
  await stage.chapter('A first tool call')
  await stage.say('Some tools need no account. An agent calls one with a single request.')
  const time = await api.execute('UTILITIES_GET_CURRENT_TIME', undefined, { timezone: 'Asia/Tokyo' })
  expect(time.body.successful, 'a tool without an account answers', time.body)

  await stage.say(
    'An agent that does not know the tools yet asks for them in words. Each has a JSON Schema for its input.',
  )
  const found = await api.send('GET', '/api/v3.1/tools?query=create%20object&toolkit_slug=parse&limit=3', {
    show: ({ items, total_items }) => ({
      items: items.map(({ slug, description }: Record<string, string>) => ({
        slug,
        description: `${description!.split('. ')[0]}.`,
      })),
      total_items,
    }),
  })
  expect(found.body.items.length > 0, 'tools are found by words', found.body)
}
