/** The mark and the name of the product. */
export const Brand = () => (
  <>
    <span className="mark" aria-hidden="true">
      P
    </span>
    Patchbay
  </>
)
