import { useEffect, useRef } from 'react'
import { rejections } from '../api/forbidden.ts'
import { queryClient } from '../api/hooks.ts'
import { sessionNotice } from '../api/notice.ts'
import { currentProject } from '../api/project.ts'
import { type Me, ME_KEY, useBoot } from '../api/session.ts'
import { useStore } from '../api/store.ts'

/** Says what has changed for the signed-in person while the page is open, and reads again what follows from it. */
export function useSessionChanges(me: Me): void {
  const rejected = useStore(rejections)
  const before = useRef(me)
  useEffect(() => {
    if (rejected > 0) void queryClient.invalidateQueries({ queryKey: ME_KEY })
  }, [rejected])
  useEffect(() => {
    const last = before.current
    before.current = me
    const lost = lostProject(last, me)
    if (nameOf(last) !== nameOf(me)) {
      sessionNotice.set({ text: `You are signed in as ${me.name} now.` })
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME_KEY[0] })
    } else if (lost !== undefined)
      sessionNotice.set({
        text: `You cannot use the project ${lost} any more. What you entered stays until you leave the page.`,
      })
    else if (hasOtherRights(last, me))
      sessionNotice.set({ text: 'Your permissions have changed. What you may not use any more is hidden.' })
  }, [me])
  useNewRelease()
}

const nameOf = ({ kind, email, name }: Me): string => `${kind} ${email ?? name}`

/** Returns the name of the project of the page, if the person cannot use it any more. */
function lostProject(before: Me, after: Me): string | undefined {
  const isCurrent = ({ id }: Me['projects'][number]) => id === currentProject.get()
  return after.projects.some(isCurrent) ? undefined : before.projects.find(isCurrent)?.name
}

/** Whether the person may do other things in a project that both have. A new or deleted project says nothing. */
function hasOtherRights(before: Me, after: Me): boolean {
  if (before.is_administrator !== after.is_administrator) return true
  return after.projects.some(({ id, permissions }) => {
    const last = before.projects.find((one) => one.id === id)
    return last !== undefined && JSON.stringify(last.permissions) !== JSON.stringify(permissions)
  })
}

/** The parts of the page that are loaded on demand have other names after an update. */
function useNewRelease(): void {
  const version = useBoot().data?.version
  const first = useRef(version)
  useEffect(() => {
    first.current ??= version
    if (version !== first.current) sessionNotice.set({ text: 'The server was updated.', needsReload: true })
  }, [version])
}
