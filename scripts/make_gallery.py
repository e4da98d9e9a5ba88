#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_gallery.py PROGRAMS FOLDER: runs those of the examples that draw, which lie in PROGRAMS, and writes the page gallery.md with
their pictures, beside it in gallery/, into FOLDER. The code of the page is that of the examples."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Title, program and arguments, picture, file and function shown, what there is to see.
ENTRIES = [
    ("The Mandelbrot set", ["mandelbrot", "720", "480"], "mandelbrot.png", "programs/mandelbrot.hpp", "escape_times",
     "Every pixel iterates as long as it takes: a loop inside `generate`, as many points wide as a vector. Counting and "
     "colouring are one kernel, so the counts are never stored."),
    ("The game of life", ["life", "100", "130", "100"], "life.png", "programs/life.hpp", "next_generation",
     "The R-pentomino after 100 generations on a torus: a stencil on booleans that wraps around, in a loop whose two worlds take turns."),
    ("Edges", ["blur_sobel", "360", "720"], "edges.png", "programs/blur_sobel.hpp", "blur",
     "A picture is blurred, its gradient taken and compared with a threshold: stencils of stencils, in one pass over the picture."),
    ("Heat in a plate", ["heat", "360", "600"], "heat.png", "heat.cpp", "diffuse",
     "A hot disc cools down. Every step checks every element with `expect`, and writes into the memory of the step before."),
    ("A price, found by Sobol's points and by chance", ["convergence"], "convergence.png", "convergence.cpp", "means",
     "The mean of what the first n paths of a Monte-Carlo simulation pay, n from 64 to 2^20 to the right: blue with Sobol's points, orange "
     "with random ones. Nothing but the means that are drawn is stored: the paths are made, priced and added up on the way."),    ("Value at risk", ["value_at_risk", "1000000", "value_at_risk.png"], "value_at_risk.png", "programs/value_at_risk.hpp",
     "value_at_risk",
     "Losses of a portfolio on a million days, whose returns are normal and correlated. One loss in a hundred is beyond the red edge: a "
     "quantile, found without sorting."),
    ("Nearest neighbours", ["nearest_neighbours", "300", "300", "nearest_neighbours.png"], "nearest_neighbours.png",
     "programs/nearest_neighbours.hpp", "classify",
     "Each pixel belongs to the spiral of most of its five nearest points: `top_k` of distances that are never stored, in a `vmap` in a "
     "`vmap`."),
    ("Connected regions", ["regions", "240", "320", "regions.png"], "regions.png", "programs/regions.hpp", "regions",
     "Every pixel takes the least number of its region: stencils, and reads at computed indices that halve the way that is left."),
    ("Out of focus", ["convolution", "160", "240", "convolution.png"], "convolution.png", "programs/convolution.hpp", "convolved",
     "A chessboard and a point of light, before and after a lens that is out of focus: a convolution with a disc, as a product of Fourier "
     "transforms."),
    ("Curves through noise", ["regression", "200", "regression.png"], "regression.png", "programs/regression.hpp", "fit_ridge",
     "Blue: the cubic with the least squared errors. Orange: a polynomial of degree 9 whose coefficients a large penalty keeps small "
     "(ridge regression)."),
    ("Principal components", ["principal_components", "100000", "principal_components.png"], "principal_components.png",
     "programs/principal_components.hpp", "principal_components",
     "The two longest axes of a cloud of points in space: eigenvectors of its covariance."),
    ("Gradient descent", ["local_volatility_fit", "40", "local_volatility_fit.png"], "local_volatility_fit.png",
     "programs/local_volatility_fit.hpp", "descent_step",
     "A model of volatility fitted to option prices: the mean squared error over the steps, with a line for each power of ten. Gradients "
     "go back through all time steps of a partial differential equation."),
]


def function(file, name):
    """The text of a function of the examples."""
    text = (ROOT / "examples" / file).read_text()
    found = re.search(rf"^(template[^\n]*\n)?[A-Za-z][^\n;=]*\b{name}\(.*?^}}$", text, re.MULTILINE | re.DOTALL)
    if not found:
        sys.exit(f"make_gallery.py: examples/{file} has no function {name}")
    return found[0]


def main():
    programs, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    pictures = folder / "gallery"
    pictures.mkdir(parents=True, exist_ok=True)
    page = ["# Gallery", "", "Pictures by programs of `examples/`, drawn when this page was made."]
    for title, command, picture, file, name, text in ENTRIES:
        done = subprocess.run([programs / command[0], *command[1:]], cwd=pictures, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0 or not (pictures / picture).is_file():
            sys.exit(f"make_gallery.py: {' '.join(command)} failed:\n{done.stdout}")
        page += ["", f"## {title}", "", text, "", f"![{title}](gallery/{picture})", "", f"`examples/{file}`:", "", "```cpp",
                 function(file, name), "```"]
    (folder / "gallery.md").write_text("\n".join(page) + "\n")


main()
