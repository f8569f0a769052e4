import { createInterface } from 'node:readline/promises'
import type { Person } from './agent.ts'

const LINK = /https?:\/\/\S+\/link\/\S+/

/** The person at the terminal: opens the link in a browser, then presses Enter. */
export const atTheTerminal: Person = async (text) => {
  process.stdout.write(`\n${text}\n`)
  if (!LINK.test(text)) return
  const line = createInterface({ input: process.stdin, output: process.stdout })
  await line.question('Press Enter when you are done. ')
  line.close()
}

/** Plays a person who opens the link and types an invented token: simulated applications take any. */
export const pretended =
  (print: (text: string) => void): Person =>
  async (text) => {
    print(text)
    const link = LINK.exec(text)?.[0]
    if (link === undefined) return
    const page = await fetch(link)
    const form = new URLSearchParams({
      form_token: /name="form_token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '',
      token: 'an-invented-token',
    })
    const cookie = page.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const sent = await fetch(link, { method: 'POST', headers: { cookie }, body: form, redirect: 'manual' })
    if (sent.status >= 400) throw new Error(`The page answers ${sent.status}.`)
  }
