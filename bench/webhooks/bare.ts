import { Pool } from 'undici'

// What posting costs without anything around it: as many requests at once as the deliverer has, the same
// bytes, and nothing is signed, kept or written down.
const [, , url = '', atOnce = '64'] = process.argv
const body = JSON.stringify({
  id: 'msg_2f1c9e4a-3b6d-8a1e-9c2f-7d8e5a6b4c31',
  timestamp: '2026-02-03T10:01:02.345Z',
  type: 'service.trigger.message',
  metadata: {
    log_id: 'log_TpxVOLXYnwXZ',
    trigger_slug: 'BENCH',
    trigger_id: 'ti_Jk3FsTy0KbzR',
    connected_account_id: 'ca_Zp4Wd81rNcYe',
    auth_config_id: 'ac_7hQ2vLk9TmXa',
    user_id: 'u-17',
  },
  data: { n: 1, text: 'x'.repeat(400) },
})
const pool = new Pool(url, { connections: Number(atOnce) })

process.on('message', ({ count }: { count: number }) => {
  let left = count
  const caller = async () => {
    while (left-- > 0) {
      const reply = await pool.request({
        method: 'POST',
        path: '/hook-0',
        headers: { 'content-type': 'application/json' },
        body,
      })
      await reply.body.dump()
    }
  }
  void Promise.all(Array.from({ length: Number(atOnce) }, caller)).then(() => process.send?.({ done: true }))
})
process.send?.({ port: 0 })
