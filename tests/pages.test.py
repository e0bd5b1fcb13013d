#!/usr/bin/env python3
"""The manual as it is read: as HTML that doc/html makes, and on a terminal, by groff."""
import glob
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from tap import case, case_for, expect, finish, require, skip_if

TOP = os.environ.get('abs_top_srcdir') or os.path.join(os.path.dirname(__file__), '..')
TOP = os.path.abspath(TOP)
PAGES = sorted(os.path.basename(path) for path in glob.glob(os.path.join(TOP, 'man', '*.[1-9]')))


def make_html():
    """The directory html."""
    skip_if(not shutil.which('mandoc'), 'mandoc is not installed')
    subprocess.run([sys.executable, '-B', os.path.join(TOP, 'doc', 'html'), 'html'], check=True)


def element_of(page):
    """A page of HTML."""
    with open('html/%s.html' % page, encoding='utf-8') as file:
        return ElementTree.fromstring(file.read().split('\n', 1)[1])


@case
def each_page_has_html():
    make_html()
    expect('pages', sorted(glob.glob('html/*.html')), ['html/%s.html' % page for page in PAGES])


@case_for(*PAGES)
def html_is_for_light_and_dark(page):
    make_html()
    require('prefers-color-scheme: dark' in element_of(page).find('head/style').text, 'no style')


@case_for(*PAGES)
def html_has_pictures_that_say_what_they_show(page):
    make_html()
    images = list(element_of(page).iter('img'))
    require(images, 'none')
    for image in images:
        require(os.path.exists('html/' + image.get('src')), image.get('src') + ' is not there')
        require(image.get('alt'), image.get('src') + ' has no text')


@case_for(*PAGES)
def links_of_html_lead_somewhere(page):
    make_html()
    root = element_of(page)
    ids = {element.get('id') for element in root.iter()}
    for link in root.iter('a'):
        name = link.get('href')
        require(name[1:] in ids if name[0] == '#' else os.path.exists('html/' + name),
                name + ' leads nowhere')


@case_for(*PAGES)
def groff_can_break_all_lines(page):
    skip_if(not shutil.which('groff'), 'groff is not installed')
    done = subprocess.run(['groff', '-Tutf8', '-mandoc', '-ww', '-rLL=78n', '-P-cbou',
                           os.path.join(TOP, 'man', page)], capture_output=True, check=True)
    skip_if(b'macro' in done.stderr and b'mandoc' in done.stderr, 'groff lacks its macros')
    expect('its warnings', done.stderr.decode(), '')
    expect('cells of tables that go on in the next line',
           re.findall(r'^ {40,}\S.*$', done.stdout.decode(), re.M), [])


finish()
