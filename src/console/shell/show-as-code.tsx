import { useState } from 'react'
import { screenRequests } from '../api/screen-requests.ts'
import { useStore } from '../api/store.ts'
import { Button } from '../components/button.tsx'
import { Drawer } from '../components/dialog.tsx'
import { EmptyState } from '../components/states.tsx'
import { RequestCode } from './request-code.tsx'

/** Shows the requests of the screen as commands and code that can be pasted. */
export function ShowAsCode() {
  const requests = useStore(screenRequests)
  const [isOpen, setOpen] = useState(false)
  const unique = [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()]
  return (
    <>
      <Button icon="code" onClick={() => setOpen(true)}>
        <span className="only-wide">Show as code</span>
        <span className="visually-hidden only-narrow">Show as code</span>
      </Button>
      <Drawer
        title="Show as code"
        description="The requests of this screen. Set API_KEY to a key of the project."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isWide
      >
        {unique.length === 0 && <EmptyState icon="code" title="This screen makes no requests" />}
        {unique.map((request) => (
          <RequestCode key={JSON.stringify(request)} request={request} />
        ))}
      </Drawer>
    </>
  )
}
