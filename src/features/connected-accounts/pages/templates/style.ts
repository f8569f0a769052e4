import { createHash } from 'node:crypto'

/** The style of all pages. The content security policy has its hash, so that no other style is applied. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#14171c;--soft:#555d6b;--ground:#f3f4f6;--card:#fff;--line:#dfe2e7;
--edge:#868d99;--accent:#1f5fd0;--on-accent:#fff;--good:#146c3a;--good-ground:#e6f4ec;--bad:#b01e1e;
--bad-ground:#fdecec;--tile:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#eef0f4;--soft:#a9b1bf;--ground:#0f1115;--card:#181b21;
--line:#2c313a;--edge:#7f8898;--accent:#8fb6ff;--on-accent:#0c1730;--good:#7fd8a4;--good-ground:#12301f;
--bad:#ff9b9b;--bad-ground:#3a1717;--tile:#f6f7f9}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;grid-template-columns:minmax(0,1fr);
place-items:center;padding:1rem;background:var(--ground);color:var(--ink);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{--pad:clamp(1.25rem,5vw,2.25rem);width:100%;max-width:29rem;padding:var(--pad);background:var(--card);
border:1px solid var(--line);border-radius:16px;
box-shadow:0 1px 2px rgb(0 0 0/.04),0 12px 32px -18px rgb(0 0 0/.22)}
h1{margin:0;font-size:1.375rem;line-height:1.3;letter-spacing:-.01em;text-wrap:balance;overflow-wrap:anywhere}
h2{margin:0 0 .5rem;font-size:.9375rem;line-height:1.4;text-wrap:balance}
p{margin:0}
p,li,h2,label,summary,.action{overflow-wrap:anywhere}
.lead{margin-top:.5rem;color:var(--soft);text-wrap:pretty}
.lead strong{color:var(--ink)}
.logos{display:flex;align-items:center;gap:.75rem;margin-bottom:1.25rem}
.logo{flex:none;display:grid;place-items:center;width:3rem;height:3rem;padding:.5rem;background:var(--tile);
border:1px solid var(--line);border-radius:12px}
.logo img{display:block;position:relative;width:100%;height:100%;overflow:hidden;object-fit:contain;
font-size:0}
.logo img::after{content:attr(alt);position:absolute;inset:0;display:grid;place-items:center;
background:var(--tile);color:#14171c;font-size:1.25rem;font-weight:700}
.logo.own{padding:.25rem}
.letter{color:#14171c;font-size:1.25rem;font-weight:700}
.dots{flex:none;width:1.75rem;border-top:2px dotted var(--edge)}
.status{display:inline-block;margin-bottom:.75rem;padding:.125rem .625rem;border-radius:99px;
font-size:.875rem;font-weight:600}
.status.good{color:var(--good);background:var(--good-ground)}
.status.bad{color:var(--bad);background:var(--bad-ground)}
.allow{margin-top:1.5rem;padding:1rem;border:1px solid var(--line);border-radius:12px}
.allow ul{margin:0;padding:0;list-style:none}
.allow li{position:relative;padding:.1875rem 0 .1875rem 1.5rem}
.allow li::before{content:"";position:absolute;left:.25rem;top:.6rem;width:.4rem;height:.7rem;
border:solid var(--good);border-width:0 2px 2px 0;transform:rotate(42deg)}
.allow li.no::before{left:.2rem;top:.95rem;width:.75rem;height:0;border-width:0 0 2px;
border-color:var(--soft);transform:none}
.allow details{margin-top:.5rem}
.allow summary{padding:.25rem 0}
.more,.hint,.detail{color:var(--soft);font-size:.875rem;line-height:1.45}
.allow .more{display:block}
form{margin-top:1.5rem}
.field{margin-top:1.25rem}
label,legend{display:block;font-weight:600}
.optional{color:var(--soft);font-weight:400}
.hint{margin-top:.125rem}
.box{display:flex;flex-wrap:wrap;margin-top:.4rem;border:1px solid var(--edge);border-radius:9px;
background:var(--card);overflow:hidden}
.box:focus-within{outline:3px solid var(--accent);outline-offset:1px;border-color:var(--accent)}
.affix{flex:1 1 auto;max-width:100%;display:flex;align-items:center;padding:.35rem .7rem;
background:var(--ground);color:var(--soft);overflow-wrap:anywhere;font-size:.9375rem}
input,select,textarea{flex:1000 1 8rem;min-width:0;width:100%;min-height:2.875rem;margin:0;
padding:.55rem .75rem;border:0;background:transparent;color:inherit;font:inherit}
textarea{min-height:7.5rem;resize:vertical;font:.875rem/1.45 ui-monospace,SFMono-Regular,Menlo,monospace}
textarea.secret{-webkit-text-security:disc}
select{background:var(--card)}
input:focus,select:focus,textarea:focus{outline:0}
input::placeholder,textarea::placeholder{color:var(--soft);opacity:1}
.check{display:flex;gap:.6rem;align-items:center}
.check input{flex:none;width:1.25rem;min-height:1.25rem;height:1.25rem;accent-color:var(--accent)}
.check input:focus-visible,a:focus-visible,summary:focus-visible{outline:3px solid var(--accent);
outline-offset:2px;border-radius:4px}
.errors:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.field.wrong .box{border-color:var(--bad);box-shadow:0 0 0 1px var(--bad)}
.error{margin-top:.35rem;color:var(--bad);font-size:.9375rem;font-weight:500}
.error::before{content:"";display:inline-block;width:.5rem;height:.5rem;margin-right:.45rem;
border-radius:50%;background:var(--bad)}
.errors{margin-top:1.25rem;padding:.85rem 1rem;border:1px solid var(--bad);border-radius:12px;
background:var(--bad-ground);color:var(--bad)}
.errors ul{margin:.25rem 0 0;padding-left:1.1rem}
.errors a{color:inherit}
a{color:var(--accent)}
.action{display:block;width:100%;margin-top:1.75rem;padding:.8rem 1rem;border:0;border-radius:10px;
background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-align:center;
text-decoration:none;cursor:pointer}
.action.quiet{margin-top:.75rem;border:1px solid var(--edge);background:transparent;color:var(--ink)}
.action:hover{filter:brightness(1.08)}
.action:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.bar{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem calc(-1*var(--pad)) 0;padding:.75rem var(--pad);
background:var(--card)}
.bar .action{flex:1 1 9rem;width:auto;margin-top:0}
.bar .more{flex:1 0 100%;margin:0;text-align:center}
.bar .action.other{margin-top:0}
.bar [data-continue]{flex-basis:100%}
.bar [hidden]{display:none}
.action:disabled{opacity:.55;cursor:default;filter:none}
@media (min-height:30rem){.bar{position:sticky;bottom:0;border-top:1px solid var(--line)}
@media (scripting:none){.bar[data-reading]{position:static}}
html{scroll-padding-bottom:9rem}}
.choices{margin:0;padding:0;border:0;min-width:0}
.choices legend{padding:0}
.choice{display:flex;gap:.7rem;align-items:flex-start;margin-top:.6rem;padding:.75rem .9rem;
border:1px solid var(--edge);border-radius:9px;cursor:pointer;overflow-wrap:anywhere}
.choice span{min-width:0}
.choice .more{display:block;font-weight:400}
.choice input{flex:none;width:1.25rem;min-height:1.25rem;height:1.25rem;margin:.125rem 0;
accent-color:var(--accent)}
.choice:has(input:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.choice:focus-within{outline:3px solid var(--accent);outline-offset:1px}
.action.other{margin-top:.75rem;border:1px solid var(--edge);background:transparent;color:var(--ink)}
.methods{margin-top:1.5rem}
.methods ul{margin:0;padding:0;list-style:none;display:grid;gap:.5rem}
.methods a{display:block;padding:.7rem .9rem;border:1px solid var(--edge);border-radius:9px;color:var(--ink);
text-decoration:none;overflow-wrap:anywhere}
.methods a[aria-current]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent);font-weight:600}
.methods a:hover{border-color:var(--accent)}
.facts{margin:1.5rem 0 0;padding:1rem;border:1px solid var(--line);border-radius:12px}
.facts dt{font-weight:600}
.facts dt:not(:first-child){margin-top:.75rem}
.facts dd{margin:.125rem 0 0;overflow-wrap:anywhere}
.facts pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;
font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
.foot{margin-top:1rem;color:var(--soft);font-size:.875rem;text-align:center;text-wrap:balance}
code{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
.copy{margin-top:.75rem;padding:.6rem .75rem;border:1px solid var(--line);border-radius:8px;
background:var(--ground)}
.links{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1rem;margin-top:1.25rem;font-size:.875rem}
.links a{color:var(--soft)}
.id{margin-top:1.25rem;color:var(--soft);font-size:.8125rem}
details{margin-top:1.25rem}
summary{cursor:pointer;color:var(--soft);font-size:.875rem}
.detail{margin-top:.4rem;padding:.6rem .75rem;border-radius:8px;background:var(--ground);
font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
@media (forced-colors:active){.box,.action,.logo{border:1px solid}.allow li::before{border-color:CanvasText}}
`

export const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
