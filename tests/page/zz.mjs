import { launch } from './browser.js'; import { site } from './built.js'; import { serve } from './server.js';
const host=await serve(site);
for(let i=0;i<2;i++){const browser=await launch('chromium');const tab=await browser.open(host.url);
await new Promise(r=>setTimeout(r,3000));
const m=await tab.evaluate(()=>performance.getEntriesByType('mark').map(e=>[e.name,e.startTime]));
let last=0;for(const[n,t]of m){console.log((t-last).toFixed(1).padStart(7),t.toFixed(0).padStart(6),n);last=t}
console.log('--');await browser.close();}
await host.close();
