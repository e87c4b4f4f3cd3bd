def test_it(gallery_server, browser):
    for l,w in (("nl",1280),("en",375)):
        c = browser.new_context(viewport={"width":w,"height":900}); c.add_cookies([{"name":"lang","value":l,"url":gallery_server.base_url}])
        p = c.new_page(); p.on("console", lambda m: print(m.type, m.text)); p.on("pageerror", lambda e: print("ERR", e))
        p.goto(gallery_server.base_url); p.wait_for_timeout(1500); p.screenshot(path=f"/tmp/ui/shots/gallery-{l}.png", full_page=True)
